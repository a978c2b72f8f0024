import { element } from './elements.ts'

/** Adds a button to every code block that copies its text. */
export function addCopyButtons(within: ParentNode): void {
  for (const figure of within.querySelectorAll('figure.code')) {
    if (figure.querySelector('button.copy')) continue
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy')
    button.addEventListener('click', () => copy(figure.querySelector('pre')?.textContent ?? '', button))
    figure.append(button)
  }
}

/** Copies a text and says so on the button. */
export async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  const before = button.textContent
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Not allowed'
  }
  setTimeout(() => {
    button.textContent = before
  }, 1500)
}
