// Invitation earnings that were not moved to the balance yet.
import { useState } from 'react'
import type { ShownUser } from '../../../core/users/user.ts'
import { useTexts } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import { Quota } from '../../parts/quota.tsx'
import { Button } from '../../semi.ts'
import { words } from './texts.ts'
import { TransferPanel } from './transfer-panel.tsx'

export function EarningsCard({ user, onChanged }: { user: ShownUser; onChanged(): void }) {
  const t = useTexts(words)
  const format = useFormat()
  const [open, setOpen] = useState(false)
  return (
    <section className="sheet" aria-labelledby="earnings">
      <h2 id="earnings">{t.earnings}</h2>
      <dl className="wallet-facts">
        <div>
          <dt>{t.pending}</dt>
          <dd>
            <Quota value={user.aff_quota} />
          </dd>
        </div>
        <div>
          <dt>{t.earned}</dt>
          <dd>
            <Quota value={user.aff_history_quota} />
          </dd>
        </div>
        <div>
          <dt>{t.invited}</dt>
          <dd>{format.number(user.aff_count)}</dd>
        </div>
      </dl>
      <div className="wallet-buttons">
        <Button onClick={() => setOpen(true)}>{t.transfer}</Button>
      </div>
      {open && <TransferPanel available={user.aff_quota} onClose={() => setOpen(false)} onDone={onChanged} />}
    </section>
  )
}
