import { useText } from '../../data/texts.tsx'

// The loading indicator.
import { Spin } from '../../semi.ts'

export function LoadingIndicator() {
  const t = useText()
  return (
    <div className="waiting" role="status">
      <Spin size="large" tip={t('please wait')} />
    </div>
  )
}
