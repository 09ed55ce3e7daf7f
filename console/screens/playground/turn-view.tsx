import { useText } from '../../data/texts.tsx'

// A prompt, and below it the answers, side by side if several models were asked.
import { IconCopy, IconEdit } from '@douyinfe/semi-icons'
import { memo, useState, type KeyboardEvent } from 'react'
import { UserAvatar } from '../../parts/text/avatar.tsx'
import { useCopy } from '../../parts/text/copy.tsx'
import { Button, TextArea } from '../../semi.ts'
import { PlaygroundAnswerView } from './answer-view.tsx'
import type { ConversationTurn } from './conversation.ts'

interface Props {
  turn: ConversationTurn
  /** Only the last turn can be answered again, because later turns build on the earlier ones. */
  isLast: boolean
  again(turnId: string, lane: number): void
  resend(turnId: string, text: string): void
}

export const ConversationTurnView = memo(function TurnView({ turn, isLast, again, resend }: Props) {
  return (
    <section className="turn">
      <Asked turn={turn} resend={turn.greeting ? undefined : (text) => resend(turn.id, text)} />
      <div className="turn-answers">
        {turn.answers.map((answer, lane) => (
          <PlaygroundAnswerView
            key={lane}
            answer={answer}
            again={isLast && !turn.greeting ? () => again(turn.id, lane) : undefined}
          />
        ))}
      </div>
    </section>
  )
})

function Asked({
  turn: { text, pictures },
  resend,
}: {
  turn: ConversationTurn
  resend: ((text: string) => void) | undefined
}) {
  const t = useText()
  const [copy, dialog] = useCopy()
  const [draft, setDraft] = useState<string | null>(null)
  if (draft !== null && resend) {
    const onDone = () => {
      setDraft(null)
      if (draft.trim() !== '' || pictures.length > 0) resend(draft.trim())
    }
    return <Editing draft={draft} setDraft={setDraft} done={onDone} />
  }
  return (
    <article className="asked" aria-label={t('User')}>
      <header>
        <UserAvatar name={t('User')} small />
        <strong>{t('User')}</strong>
        <span className="asked-acts">
          <Button
            theme="borderless"
            type="tertiary"
            size="small"
            icon={<IconCopy aria-hidden />}
            aria-label={t('Copy message')}
            onClick={() => void copy(text, t('message'))}
          />
          {resend && (
            <Button
              theme="borderless"
              type="tertiary"
              size="small"
              icon={<IconEdit aria-hidden />}
              aria-label={t('Edit message')}
              onClick={() => setDraft(text)}
            />
          )}
        </span>
      </header>
      <div className="answer-plain">{text}</div>
      {pictures.map((url, at) => (
        <img key={at} src={url} alt={t('Picture')} />
      ))}
      {dialog}
    </article>
  )
}

function Editing({
  draft,
  setDraft,
  done: onDone,
}: {
  draft: string
  setDraft(text: string | null): void
  done(): void
}) {
  const t = useText()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setDraft(null)
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onDone()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="asked asked-editing" onKeyDown={onKeyDown}>
      <TextArea aria-label={t('Edit message')} autosize autoFocus value={draft} onChange={setDraft} />
      <p className="hint">{t('The messages after it are removed when you send it.')}</p>
      <div className="field-row">
        <Button theme="solid" size="small" onClick={onDone}>
          {t('Send')}
        </Button>
        <Button type="tertiary" size="small" onClick={() => setDraft(null)}>
          {t('Cancel')}
        </Button>
      </div>
    </div>
  )
}
