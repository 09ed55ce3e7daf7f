// The loading indicator.
import { Spin } from '../semi.ts'
import { useTexts } from '../data/texts.tsx'
import { words } from './texts.ts'

export function LoadingIndicator() {
  const t = useTexts(words)
  return (
    <div className="waiting" role="status">
      <Spin size="large" tip={t.wait} />
    </div>
  )
}
