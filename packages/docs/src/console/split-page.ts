/** The renderer's page without inline scripts, and those as files of their own. */
export interface SplitPage {
  readonly page: string
  /** Chooses the colours before the first paint. */
  readonly theme: string
  readonly script: string
}

const preload = /<link rel="modulepreload" href="https:\/\/[^"]+"[^>]*>/
const inline = /<script type="module">([\s\S]*?)<\/script>/
const remoteImport = /import \{ hydrate \} from "https:\/\/[^"]+";/
const prepaint = /<script>([\s\S]*?)<\/script>/g

/**
 * Takes the scripts out of the renderer's page, so that its content security policy needs no exception for
 * scripts, and makes them import the copy at `library` in place of the one on the vendor's network.
 *
 * @throws Error when the page is not as the renderer used to write it: the copy would then load from another host.
 */
export function splitConsolePage(page: string, library: string): SplitPage {
  const start = inline.exec(page)?.[1]
  if (!start || !remoteImport.test(start) || !preload.test(page))
    throw new Error('The page of the renderer has changed: its script was not found where it used to be.')
  const themes: string[] = []
  const without = page
    .replace(preload, `<link rel="modulepreload" href="${library}">`)
    .replace(inline, '<script type="module" src="console.js"></script>')
    // The emptied elements stay: React finds the tree as it rendered it.
    .replace(prepaint, (_, text: string) => {
      themes.push(text.trim())
      return '<script></script>'
    })
  const script = `${start.replace(remoteImport, `import { hydrate } from '${library}'`).trim()}\n`
  return { page: without, theme: `${themes.join('\n')}\n`, script }
}

/** The vendor’s name as an image stands where the renderer shows its vendor's logo from the vendor's host. */
export const withoutLogo = (text: string): string =>
  text.replaceAll(
    /https:\/\/cdn\.redoc\.ly\/[\w./-]+\.svg/g,
    'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI0NiIgaGVpZ2h0PSIxNiIgdmlld0JveD0iMCAwIDQ2IDE2Ij48dGV4dCB5PSIxMiIgZm9udC1mYW1pbHk9InNhbnMtc2VyaWYiIGZvbnQtc2l6ZT0iMTIiIGZvbnQtd2VpZ2h0PSI2MDAiIGZpbGw9IiM0YTZkYTAiPlJlZG9jPC90ZXh0Pjwvc3ZnPg==',
  )
