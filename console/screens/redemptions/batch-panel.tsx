// Codes that were created together: how many are used, disabled and unused, who used which and when, and the actions on
// all of them.
import { REDEMPTION_STATUS } from '../../../core/redemptions/redemption.ts'
import { apiClient } from '../../data/client.ts'
import { useEndpointWithFirstError } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText } from '../../data/texts.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { UsageMeter } from '../../parts/status/meter.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button } from '../../semi.ts'
import { loadBatch, countStates } from './batch.ts'
import { CodeStatus, RedeemerCell } from './columns.tsx'
import { HandOutButtons } from './hand-out-buttons.tsx'
import type { CodeActions } from './use-code-acts.ts'

interface Props {
  /** Id of one of its codes. */
  id: number
  turn: CodeActions['turn']
  onClose(): void
}

const PAGE = 100

async function readBatch(id: number) {
  const code = await apiClient.redemptions.get({ id })
  const page = { keyword: code.name, page_size: PAGE, sort: '-created_time' } as const
  return loadBatch(code, (cursor) => apiClient.redemptions.search({ ...page, p: 1, ...(cursor ? { cursor } : {}) }))
}

export function BatchPanel({ id, turn, onClose }: Props) {
  const t = useText()
  const format = useFormat()
  const {
    data: codes,
    error,
    reload,
  } = useEndpointWithFirstError(['redemptions.get', 'batch', id], () => readBatch(id))
  const first = codes?.[0]
  if (!codes || !first) {
    return (
      <ModalDialog title={t('Batch')} side="right" onClose={onClose}>
        {error ? (
          <EmptyState failed title={t('The batch could not be loaded')} description={error}>
            <Button onClick={reload}>{t('Try again')}</Button>
          </EmptyState>
        ) : (
          <LoadingIndicator />
        )}
      </ModalDialog>
    )
  }
  const states = countStates(codes)
  const unused = codes.filter(({ status }) => status === REDEMPTION_STATUS.unused)
  const disabled = codes.filter(({ status }) => status === REDEMPTION_STATUS.disabled)
  const values = { n: codes.length, amount: format.quota(first.quota), time: format.rowTime(first.created_time) }
  return (
    <ModalDialog title={t('Batch {name}', { name: first.name })} side="right" onClose={onClose}>
      <div className="batch">
        <p>{t('{n} created at {time}, each worth {amount}.', values)}</p>
        <UsageMeter label={t('used')} used={states.used} limit={codes.length}>
          {t('{used} used, {unused} unused, {disabled} disabled', states)}
        </UsageMeter>
        <div className="hand-out">
          <Button disabled={unused.length === 0} onClick={() => void turn(unused, REDEMPTION_STATUS.disabled, reload)}>
            {t('Disable unused ({n})', { n: unused.length })}
          </Button>
          {disabled.length > 0 && (
            <Button onClick={() => void turn(disabled, REDEMPTION_STATUS.unused, reload)}>
              {t('Enable disabled ({n})', { n: disabled.length })}
            </Button>
          )}
        </div>
        <h2>{t('Hand out unused codes')}</h2>
        <HandOutButtons codes={unused} />
        <h2>{t('Its codes, and who used them')}</h2>
        <ul className="batch-codes">
          {codes.map((code) => (
            <li key={code.id}>
              <span className="number">#{code.id}</span>
              <CodeStatus code={code} />
              {code.used_user_id > 0 && (
                <span>
                  {t('by')} <RedeemerCell code={code} /> <RelativeTime seconds={code.redeemed_time} exact />
                </span>
              )}
            </li>
          ))}
        </ul>
      </div>
    </ModalDialog>
  )
}
