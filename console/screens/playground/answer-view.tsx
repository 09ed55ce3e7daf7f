// One answer: reasoning, text, pictures and tool calls of the model, with tokens, times and cost.
import { IconAlertTriangle, IconCopy, IconRefresh } from '@douyinfe/semi-icons'
import { memo, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useFormat } from '../../data/use-format.ts'
import { useText } from '../../data/texts.tsx'
import { ModelMark } from '../../parts/text/brand-mark.tsx'
import { CodeBlock } from '../../parts/text/code-block.tsx'
import { useCopy } from '../../parts/text/copy.tsx'
import { MarkdownMessage, MessagePicture } from '../../parts/text/markdown-text.tsx'
import { Button, Spin } from '../../semi.ts'
import { hasEnded, type PlaygroundAnswer, type AnswerError } from './conversation.ts'

interface Props {
  answer: PlaygroundAnswer
  /** Asks again; undefined if that is not possible. */
  again?: () => void
}

export const PlaygroundAnswerView = memo(function AnswerView({ answer, again }: Props) {
  const t = useText()
  const { model, state, text, reasoning, pictures, tools, failure } = answer
  const name = model || t('Assistant')
  const hasContent = text !== '' || reasoning !== '' || pictures.length > 0 || tools.length > 0
  return (
    <article className={`answer answer-${state}`} aria-label={name} aria-busy={!hasEnded(answer)}>
      <header>
        <ModelMark model={name} />
        <strong>{name}</strong>
      </header>
      {reasoning && (
        <details className="answer-reasoning">
          <summary>{t('Reasoning')}</summary>
          <p>{reasoning}</p>
        </details>
      )}
      {state === 'loading' && (
        <div role="status" className="answer-waiting">
          <Spin size="small" />
          <span className="only-heard">{t('Waiting for {model}', { model: name })}</span>
        </div>
      )}
      {text && <MarkdownMessage source={text} />}
      {pictures.map((url, at) => (
        <div key={at} className="answer-picture">
          <MessagePicture src={url} alt={t('Picture')} />
        </div>
      ))}
      {tools.map((tool, at) => (
        <details key={at} className="answer-tool" open>
          <summary>{t('Calls the tool {name}', { name: tool.name })}</summary>
          <CodeBlock label={t('arguments of {name}', { name: tool.name })} head="JSON" text={pretty(tool.arguments)} />
        </details>
      ))}
      {state === 'complete' && !hasContent && <p className="muted">{t('The answer is empty.')}</p>}
      {failure && (
        <p className="answer-failure" role="alert">
          <IconAlertTriangle aria-hidden />
          <span>{failure.message}</span>
        </p>
      )}
      {hasEnded(answer) && <Foot answer={answer} name={name} again={again} />}
    </article>
  )
})

function Foot({ answer, name, again }: Props & { name: string }) {
  const t = useText()
  const [copy, dialog] = useCopy()
  const { text, failure } = answer
  return (
    <footer>
      {failure && again ? (
        <Retry failure={failure} again={again} />
      ) : (
        <>
          {text && (
            <Button
              theme="borderless"
              type="tertiary"
              size="small"
              icon={<IconCopy aria-hidden />}
              aria-label={t('Copy answer of {model}', { model: name })}
              onClick={() => void copy(text, name)}
            />
          )}
          {again && (
            <Button
              theme="borderless"
              type="tertiary"
              size="small"
              icon={<IconRefresh aria-hidden />}
              aria-label={t('Answer again: {model}', { model: name })}
              onClick={again}
            />
          )}
        </>
      )}
      <Measures answer={answer} />
      {dialog}
    </footer>
  )
}

/** Tokens, times and cost. */
function Measures({ answer: { usage, first_ms, ms, quota, request_id, stopped } }: { answer: PlaygroundAnswer }) {
  const t = useText()
  const format = useFormat()
  return (
    <span className="answer-measures">
      {stopped && <span>{t('Stopped')}</span>}
      {usage && (
        <span>
          {t('{prompt} in, {completion} out', {
            prompt: format.number(usage.prompt),
            completion: format.number(usage.completion),
          })}
        </span>
      )}
      {first_ms !== undefined && <span>{t('first token {ms}', { ms: format.duration(first_ms) })}</span>}
      {ms !== undefined && <span>{t('{ms} in total', { ms: format.duration(ms) })}</span>}
      {quota !== undefined && request_id && (
        <Link
          to={`/log?request_id=${encodeURIComponent(request_id)}`}
          aria-label={`${t('Cost', { context: 'call' })} ${format.quota(quota)}: ${t('See this call in the usage log')}`}
          data-tip={t('See this call in the usage log')}
        >
          {format.quota(quota)}
        </Link>
      )}
    </span>
  )
}

/** A retry button, with a countdown if the error has a retry time. */
function Retry({ failure: { until = 0 }, again }: { failure: AnswerError; again(): void }) {
  const t = useText()
  const [now, setNow] = useState(() => Date.now())
  const left = Math.ceil((until - now) / 1000)
  useEffect(() => {
    if (left <= 0) return
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [left])
  return (
    <Button size="small" icon={<IconRefresh aria-hidden />} disabled={left > 0} onClick={again}>
      {left > 0 ? t('Retry in {n} s', { n: left }) : t('Retry')}
    </Button>
  )
}

/** Arguments may be incomplete while they stream. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
