// Applies the reader's color scheme before the browser shows the page.
try {
  const chosen = localStorage.getItem('theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // If the browser blocks storage, the page uses the system's color scheme.
}
