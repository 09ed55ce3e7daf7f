// What stands in for a screen while its code loads, and if it breaks.
import { Button, Empty } from '../semi.ts'
import { Component, Suspense, type ReactNode } from 'react'
import { useTexts } from '../data/texts.tsx'
import { Waiting } from '../parts/waiting.tsx'
import { words } from './texts.ts'

export class ScreenBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override render() {
    return this.state.broken ? <Broken /> : <Suspense fallback={<Waiting />}>{this.props.children}</Suspense>
  }
}

function Broken() {
  const t = useTexts(words)
  return (
    <Empty className="page-empty" title={t.screenBroken}>
      <Button onClick={() => window.location.reload()}>{t.reload}</Button>
    </Empty>
  )
}
