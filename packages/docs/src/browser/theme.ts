// Runs before the first paint: what the reader chose, where it differs from the system.
try {
  const chosen = localStorage.getItem('theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // Storage may be forbidden; the system's choice holds then.
}
