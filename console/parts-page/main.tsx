// The page of parts: every part in every state that a file `*.previews.tsx` declares, in a chosen theme and language.
// `npm run parts` serves it; the built console does not contain it.
import { createRoot } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { FormatProvider } from '../data/use-format.ts'
import { queryClient } from '../data/session.tsx'
import { loadTexts, TextsProvider, useLanguage } from '../data/texts.tsx'
import { ConfirmationHost } from '../parts/overlay/confirm.tsx'
import { MenuHost } from '../parts/overlay/menu.tsx'
import { TooltipHost } from '../parts/overlay/tips.tsx'
import { SegmentedChoice } from '../parts/form/choice.tsx'
import { ThemeProvider, useTheme } from '../shell/theme.tsx'
import { NoticeToaster } from '../shell/toaster.tsx'
import type { PreviewModule } from './states.ts'
import '@douyinfe/semi-ui/lib/es/_base/base.css'
import '../shell/theme.css'
import '../shell/shell.css'
import '../parts/parts.css'
import './parts-page.css'

const declared = Object.values(import.meta.glob<PreviewModule>('./*.previews.tsx', { eager: true }))
  .flatMap(({ previews }) => Object.entries(previews))
  .map(([part, states]) => ({ part, states }))

function Page() {
  const { mode, setMode } = useTheme()
  const { language, setLanguage } = useLanguage()
  return (
    <div className="parts-page">
      <header>
        <h1>Parts</h1>
        <SegmentedChoice
          label="Theme"
          value={mode}
          onChange={(value) => setMode(value as typeof mode)}
          options={['light', 'dark'].map((value) => ({ value, label: value }))}
        />
        <SegmentedChoice
          label="Language"
          value={language}
          onChange={(value) => setLanguage(value as typeof language)}
          options={['en', 'zh'].map((value) => ({ value, label: value }))}
        />
        <nav aria-label="Parts">
          {declared.map(({ part }) => (
            <a key={part} href={`#${part}`} onClick={(event) => show(event, part)}>
              {part}
            </a>
          ))}
        </nav>
      </header>
      <main>
        {declared.map(({ part, states }) => (
          <section key={part} id={part} aria-label={part}>
            <h2>{part}</h2>
            <div className="parts-states">
              {Object.entries(states).map(([name, State]) => (
                <div key={name} className="parts-state" data-state={`${part}: ${name}`}>
                  <h3>{name}</h3>
                  <State />
                </div>
              ))}
            </div>
          </section>
        ))}
      </main>
    </div>
  )
}

/** An anchor would lead to the address of <base>. */
function show(event: { preventDefault(): void }, part: string) {
  event.preventDefault()
  document.getElementById(part)?.scrollIntoView()
}

const page = (
  <TextsProvider>
    <ThemeProvider>
      <QueryClientProvider client={queryClient}>
        <FormatProvider>
          <MemoryRouter>
            <Page />
            <NoticeToaster />
            <ConfirmationHost />
            <MenuHost />
            <TooltipHost />
          </MemoryRouter>
        </FormatProvider>
      </QueryClientProvider>
    </ThemeProvider>
  </TextsProvider>
)
// The texts of the parts come with those of any screen.
void loadTexts('not-found').finally(() => createRoot(document.getElementById('root')!).render(page))
