import { element } from './elements.ts'

const label = 'Copy'
/** A live region that announces the result to screen readers. The region must exist before its text changes. */
const status = element('p', { class: 'visually-hidden', role: 'status' })

export function addCopyButtons(within: ParentNode): void {
  for (const figure of within.querySelectorAll('figure.code')) {
    if (figure.querySelector('button.copy')) continue
    const button = element('button', { type: 'button', class: 'copy' }, label)
    button.addEventListener('click', () => copy(figure.querySelector('pre')?.textContent ?? '', button))
    figure.append(button)
    if (!status.isConnected) document.body.append(status)
  }
}

/**
 * Copies text to the clipboard and shows the result on the button. The text may still be loading when this function is
 * called.
 */
export async function copy(text: string | Promise<string>, button: HTMLElement): Promise<void> {
  const before = button.textContent
  if (!status.isConnected) document.body.append(status)
  try {
    await navigator.clipboard.writeText(await text)
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Not allowed'
  }
  status.textContent = button.textContent
  setTimeout(() => {
    button.textContent = before
    status.textContent = ''
  }, 1500)
}
