import { element } from './elements.ts'

const label = 'Copy'
/** Tells who does not see the button what came of pressing it; it must be there before it has anything to tell. */
const status = element('p', { class: 'visually-hidden', role: 'status' })

/** Adds a button to every code block that copies its text. */
export function addCopyButtons(within: ParentNode): void {
  for (const figure of within.querySelectorAll('figure.code')) {
    if (figure.querySelector('button.copy')) continue
    const button = element('button', { type: 'button', class: 'copy' }, label)
    button.addEventListener('click', () => copy(figure.querySelector('pre')?.textContent ?? '', button))
    figure.append(button)
    if (!status.isConnected) document.body.append(status)
  }
}

/** Copies a text and says so on the button. */
export async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Not allowed'
  }
  status.textContent = button.textContent
  setTimeout(() => {
    button.textContent = label
    status.textContent = ''
  }, 1500)
}
