// The playground: options at the side, the conversation, and the field for the next message.
import { IconSetting } from '@douyinfe/semi-icons'
import { useEffect, useRef, useState } from 'react'
import { showNotice } from '../../data/notify.ts'
import { usePaletteAct } from '../../data/use-palette-act.ts'
import { useUrlState } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { runWithUndo } from '../../parts/overlay/undo.ts'
import { useMobile } from '../../parts/use-mobile.ts'
import { Button } from '../../semi.ts'
import { MessageComposer } from './composer.tsx'
import { ConversationBar } from './conversation-bar.tsx'
import { PlaygroundOptionsPanel } from './options-panel.tsx'
import { ConversationTurnView } from './turn-view.tsx'
import { usePlaygroundAnswers, type AnswerActions } from './use-answers.ts'
import { useConversation } from './use-conversation.ts'
import './playground.css'

export function Page() {
  const t = useText()
  const mobile = useMobile()
  const [{ model, expired }, setPlace] = useUrlState({ model: '', expired: '' })
  const [panel, setPanel] = useState(false)
  const open = useConversation()
  const { conversation, change } = open
  const answers = usePlaygroundAnswers(open)
  const { turns, options } = conversation
  usePaletteAct('begin', open.begin)
  useEffect(() => {
    if (expired !== 'true') return
    showNotice.error(t('not logged in or login expired'))
    setPlace({ expired: '' })
  }, [expired, setPlace, t])
  const end = useFollowed(turns)
  // The handlers read the latest value from a ref, so that turns do not render again with each streamed word.
  const latest = useRef(answers)
  latest.current = answers
  const acts = useRef<Pick<AnswerActions, 'again' | 'resend'>>({
    again: (...input) => latest.current.again(...input),
    resend: (...input) => latest.current.resend(...input),
  })
  const clear = async () => {
    const before = turns
    const put = async (next: typeof turns) =>
      change((old) => (old.id === conversation.id ? { ...old, turns: next } : old))
    answers.stop()
    await runWithUndo({ message: t('context cleared'), isSentence: true, act: () => put([]), back: () => put(before) })
  }
  return (
    <>
      <PageHead title={t('Playground')}>
        {mobile && (
          <Button
            icon={<IconSetting aria-hidden />}
            aria-label={t('Options')}
            aria-expanded={panel}
            aria-controls="playground-options"
            onClick={() => setPanel(!panel)}
          />
        )}
        <ConversationBar open={open} />
      </PageHead>
      <div className="playground">
        <aside
          id="playground-options"
          className="sheet playground-options"
          aria-label={t('Options')}
          hidden={mobile && !panel}
        >
          <PlaygroundOptionsPanel options={options} setOptions={open.setOptions} requestedModel={model} />
        </aside>
        <div className="playground-chat">
          <div className="playground-turns" role="log" aria-label={t('Messages')} aria-live="off">
            {turns.length === 0 && (
              <EmptyState
                title={t('No messages yet')}
                description={t('The next message starts over: earlier ones are not sent.')}
              />
            )}
            {turns.map((turn, at) => (
              <ConversationTurnView key={turn.id} turn={turn} isLast={at === turns.length - 1} {...acts.current} />
            ))}
            <div ref={end} />
          </div>
          <div className="playground-foot">
            {turns.length > 0 && (
              <Button theme="borderless" type="tertiary" size="small" onClick={() => void clear()}>
                {t('Clear context')}
              </Button>
            )}
            <MessageComposer
              busy={answers.busy}
              disabled={options.models.includes('')}
              send={answers.send}
              stop={answers.stop}
            />
          </div>
        </div>
      </div>
    </>
  )
}

/** Distance from the end within which the user counts as reading along, in px. */
const NEAR = 160

/** Scrolls along with streamed text while the end is visible. */
function useFollowed(turns: readonly { id: string }[]) {
  const end = useRef<HTMLDivElement>(null)
  const seen = useRef(turns)
  useEffect(() => {
    const { length } = seen.current
    seen.current = turns
    // A page begins at its top, also with a conversation that was kept.
    if (length === 0) return
    const grown = turns.length > length
    const { scrollHeight } = document.documentElement
    const left = scrollHeight - window.innerHeight - window.scrollY
    const isFollowed = window.scrollY > 0 && left > 0 && left < NEAR
    if (grown || isFollowed) window.scrollTo({ top: scrollHeight })
  }, [turns])
  return end
}
