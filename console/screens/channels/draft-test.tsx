// Tests the values of the channel panel before they are saved. The result is shown next to the button until a value
// changes.
import { useState } from 'react'
import type { TriedKey } from '../../../core/channels/contract.ts'
import { apiClient, RequestFailure } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { clearFieldErrors, showFieldErrors } from '../../data/notify.ts'
import { useText } from '../../data/texts.tsx'
import { ColorDot } from '../../parts/text/tags.tsx'
import { Button } from '../../semi.ts'
import { toChannelRequest, type ChannelDraft } from './form.ts'
import { getTestAdvice } from './test-advice.ts'

/** The tested values and the duration in ms, or the reason of the failure. */
type DraftTestOutcome = { of: string; keys: readonly TriedKey[] } & ({ ms: number } | { failed: RequestFailure })

/** `id`: number of an existing channel. If no key is entered, its stored key is used. */
export function ChannelDraftTest({ id, draft }: { id: number | null; draft: ChannelDraft }) {
  const t = useText()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<DraftTestOutcome | null>(null)
  const of = JSON.stringify(draft)
  const test = async () => {
    setBusy(true)
    setOutcome(null)
    clearFieldErrors()
    try {
      const { time, keys } = await apiClient.channels.try({
        ...(id === null ? {} : { id }),
        ...toChannelRequest(draft),
      })
      setOutcome({ of, keys, ms: time * 1000 })
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      setOutcome({ of, keys: (error.reply['keys'] as TriedKey[] | undefined) ?? [], failed: error })
      showFieldErrors(error.fields.map((each) => ({ ...each, inline: true })))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="dialog-aside draft-test">
      <Button
        loading={busy}
        data-tip={t('Sends one small call with the values as they stand here; nothing is saved or charged')}
        onClick={() => void test()}
      >
        {t('Test')}
      </Button>
      <span role="status">{outcome?.of === of && <Result outcome={outcome} />}</span>
    </div>
  )
}

function Result({ outcome }: { outcome: DraftTestOutcome }) {
  const t = useText()
  const format = useFormat()
  const { keys } = outcome
  const bad = keys.filter(({ passed }) => !passed)
  const n = format.number(keys.length)
  return (
    <>
      {'ms' in outcome ? (
        <ColorDot color={bad.length > 0 ? 'orange' : 'green'}>
          {t(keys.length > 0 ? 'It answered in {time}; {passed} of {n} keys work' : 'It answered in {time}', {
            time: format.duration(outcome.ms),
            passed: format.number(keys.length - bad.length),
            n,
          })}
        </ColorDot>
      ) : (
        <ColorDot color="red">
          <span>
            {outcome.failed.fields.length === 0 ? outcome.failed.message : t('It failed: see the field.')}
            {keys.length > 0 && ` ${t('None of {n} keys works.', { n })}`}
            <span className="hint"> {getTestAdvice(outcome.failed.reply['kind'] as string | undefined, t)}</span>
          </span>
        </ColorDot>
      )}
      {bad.length > 0 && (
        <details className="draft-keys">
          <summary>{t('Keys that do not work')}</summary>
          <ul>
            {bad.map(({ key, error }, at) => (
              <li key={at}>
                <span className="mono">{key}</span> {error}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
