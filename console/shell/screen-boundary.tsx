// The placeholder of a screen while its code loads, and if it throws.
import { Button } from '../semi.ts'
import { Component, Suspense, type ReactNode } from 'react'
import { isLostFile } from '../data/connection.ts'
import { useTexts } from '../data/texts.tsx'
import { LoadingIndicator } from '../parts/waiting.tsx'
import { words } from './texts.ts'
import { EmptyState } from '../parts/empty.tsx'

interface Props {
  children: ReactNode
  /** A part that throws is omitted from the page. */
  optional?: boolean
}

export class ScreenBoundary extends Component<Props, { broken?: 'screen' | 'file' }> {
  override state: { broken?: 'screen' | 'file' } = {}

  static getDerivedStateFromError(error: unknown) {
    return { broken: isLostFile(error) ? 'file' : 'screen' }
  }

  override render() {
    const { optional, children } = this.props
    if (this.state.broken) return optional ? null : <Broken isFile={this.state.broken === 'file'} />
    return <Suspense fallback={optional ? null : <LoadingIndicator />}>{children}</Suspense>
  }
}

function Broken({ isFile }: { isFile: boolean }) {
  const t = useTexts(words)
  return (
    <EmptyState page title={isFile ? t.fileLost : t.screenBroken}>
      <Button onClick={() => window.location.reload()}>{t.reload}</Button>
    </EmptyState>
  )
}
