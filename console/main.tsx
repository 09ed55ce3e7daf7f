// Starts the console in the page.
import { createRoot } from 'react-dom/client'
import { loadServerStatus } from './data/status.ts'
import { loadTexts } from './data/texts.tsx'
import { findFirstScreen } from './screens/index.ts'
import { ConsoleApp } from './shell/app.tsx'
import '@douyinfe/semi-ui/lib/es/_base/base.css'
import './shell/theme.css'
import './shell/shell.css'
import './parts/parts.css'

/** Longest wait for the font, in ms. Texts that were drawn in another one change their widths when it arrives. */
const FONT_WAIT = 500

const loadFont = () =>
  Promise.race([document.fonts.load('1em Inter'), new Promise((resolve) => setTimeout(resolve, FONT_WAIT))])

void loadServerStatus()
// If its texts cannot be loaded, the console is shown in English.
void Promise.allSettled([loadTexts(findFirstScreen()), loadFont()]).then(() =>
  createRoot(document.getElementById('root')!).render(<ConsoleApp />),
)
