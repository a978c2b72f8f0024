// `npm run screenshots -w docs` updates the screenshots for the tests.
// Check the new screenshots before you commit them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { launch } from './chromium.ts'
import { picturedLooks } from './looks.ts'
import { samplePages } from './sample-pages.ts'
import { fontsOf, fontsPath, pageFor, picture, pictured, pictureFile } from './screenshots.ts'
import { serveSite } from './static-server.ts'

const server = await serveSite()
const browser = await launch()
mkdirSync(dirname(fontsPath), { recursive: true })
for (const look of picturedLooks) {
  const page = await pageFor(browser, look)
  for (const kind of pictured)
    writeFileSync(pictureFile(kind, look), await picture(page, server.origin + samplePages()[kind]))
}
writeFileSync(fontsPath, `[${(await fontsOf(browser, server.origin)).join(', ')}]\n`)
await browser.close()
server.close()
