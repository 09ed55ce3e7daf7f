// Starts the console in the page.
import { createRoot } from 'react-dom/client'
import { loadServerStatus } from './data/status.ts'
import { loadTexts } from './data/texts.tsx'
import { ConsoleApp } from './shell/app.tsx'
import '@douyinfe/semi-ui/lib/es/_base/base.css'
import './shell/theme.css'
import './shell/shell.css'
import './parts/parts.css'

void loadServerStatus()
// If its texts cannot be loaded, the console is shown in English.
void loadTexts().finally(() => createRoot(document.getElementById('root')!).render(<ConsoleApp />))
