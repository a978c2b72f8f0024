// Applies the reader's color scheme before the first paint.
try {
  const chosen = localStorage.getItem('theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // If storage is forbidden, the system's color scheme is used.
}
