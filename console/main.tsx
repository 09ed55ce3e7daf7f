// Starts the console in the page.
import { createRoot } from 'react-dom/client'
import { loadStatus } from './data/status.ts'
import { App } from './shell/app.tsx'
import '@douyinfe/semi-ui/lib/es/_base/base.css'
import './shell/theme.css'
import './shell/shell.css'
import './parts/parts.css'

void loadStatus()
createRoot(document.getElementById('root')!).render(<App />)
