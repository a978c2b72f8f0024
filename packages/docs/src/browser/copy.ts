import { element } from './elements.ts'

const label = 'Copy'
/** Announces the result to screen readers. Live regions must exist before their text changes. */
const status = element('p', { class: 'visually-hidden', role: 'status' })

/** Adds a copy button to every code block. */
export function addCopyButtons(within: ParentNode): void {
  for (const figure of within.querySelectorAll('figure.code')) {
    if (figure.querySelector('button.copy')) continue
    const button = element('button', { type: 'button', class: 'copy' }, label)
    button.addEventListener('click', () => copy(figure.querySelector('pre')?.textContent ?? '', button))
    figure.append(button)
    if (!status.isConnected) document.body.append(status)
  }
}

/** Copies a text and shows the result on the button. */
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
