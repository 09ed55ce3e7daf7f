// The user of a call: name, balance and usage, for administrators.
import { client } from '../../data/client.ts'
import { useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { Quota } from '../../parts/quota.tsx'
import { LoadingIndicator } from '../../parts/waiting.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Button } from '../../semi.ts'
import { words } from './texts.ts'

export function UserDialog({ id, onClose }: { id: number; onClose(): void }) {
  const t = useTexts(words)
  const format = useFormat()
  const read = useEndpoint(['users.get', id], () => client.users.get({ id }))
  const { data } = read
  return (
    <Dialog title={t.userInfo} onClose={onClose} foot={<Button onClick={onClose}>{t.close}</Button>}>
      {data ? (
        <dl className="lines">
          <div>
            <dt>{t.username}</dt>
            <dd>{data.username}</dd>
          </div>
          <div>
            <dt>{t.balance}</dt>
            <dd>
              <Quota value={data.quota} />
            </dd>
          </div>
          <div>
            <dt>{t.usedTotal}</dt>
            <dd>
              <Quota value={data.used_quota} />
            </dd>
          </div>
          <div>
            <dt>{t.requests}</dt>
            <dd>{format.number(data.request_count)}</dd>
          </div>
        </dl>
      ) : read.error ? (
        <p role="alert">{read.error}</p>
      ) : (
        <LoadingIndicator />
      )}
    </Dialog>
  )
}
