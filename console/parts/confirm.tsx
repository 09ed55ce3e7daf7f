// Asks before anything that cannot be undone.
import { Button, Popconfirm } from '../semi.ts'
import type { ButtonProps } from '@douyinfe/semi-ui/lib/es/button'
import { useTexts } from '../data/texts.tsx'
import { words } from './texts.ts'

interface Props extends Pick<ButtonProps, 'icon' | 'size' | 'theme' | 'disabled' | 'children' | 'aria-label'> {
  question: string
  body?: string
  /** What the yes is called; without it, to delete. */
  yes?: string
  onConfirm(): Promise<void> | void
}

/** A red button that acts only after a second, explicit yes. */
export function ConfirmButton({ question, body, yes, onConfirm, children, ...button }: Props) {
  const t = useTexts(words)
  return (
    <Popconfirm
      title={question}
      content={body ?? t.irreversible}
      okType="danger"
      okText={yes ?? t.delete}
      cancelText={t.cancel}
      position="leftTop"
      onConfirm={onConfirm}
    >
      <Button type="danger" theme="borderless" size="small" {...button}>
        {children}
      </Button>
    </Popconfirm>
  )
}
