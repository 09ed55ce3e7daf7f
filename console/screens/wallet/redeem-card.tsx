// Redeems a code: entered, or given by the address (`/topup?code=…`), as printed codes do.
import { useRef, useState } from 'react'
import { apiClient, RequestFailure } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useServerStatus } from '../../data/status.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { usePaletteAct } from '../../data/use-palette-act.ts'
import { useFormat } from '../../data/use-format.ts'
import { useUrlState } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { Button, Input } from '../../semi.ts'

export function RedeemCard({ onRedeemed }: { onRedeemed(): void }) {
  const t = useText()
  const format = useFormat()
  const { top_up_link } = useServerStatus()
  const [{ code }, setState] = useUrlState({ code: '' })
  const [typed, setTyped] = useState<string | null>(null)
  const [wrong, setWrong] = useState<string>()
  const [added, setAdded] = useState<number | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const key = typed ?? code
  usePaletteAct('redeem', () => field.current?.focus())
  const [redeem, busy] = useAction(async () => {
    if (key.trim() === '') return setWrong(t('Please enter a redemption code!'))
    setWrong(undefined)
    try {
      const amount = await apiClient.redemptions.redeem({ key: key.trim() })
      showNotice.success(t('redeemed, quota added: {amount}', { amount: format.quota(amount) }))
      setAdded(amount)
      setTyped('')
      if (code) setState({ code: '' })
      onRedeemed()
    } catch (error) {
      // The reason was already shown; the field shows that it failed.
      if (error instanceof RequestFailure && error.status !== 200) setWrong(t('Request failed'))
      throw error
    }
  })
  const getCode = () =>
    top_up_link
      ? window.open(top_up_link, '_blank', 'noopener')
      : showNotice.error(t('The super administrator has not set a top-up link!'))
  return (
    <section className="sheet" aria-labelledby="redeem">
      <h2 id="redeem">{t('Redeem a code', { context: 'title' })}</h2>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void redeem()
        }}
      >
        <FormField label={t('Redemption code')} error={wrong}>
          <Input
            ref={field}
            aria-label={t('Redemption code')}
            className="mono"
            autoComplete="off"
            spellCheck={false}
            placeholder={t('Paste or type the code')}
            value={key}
            onChange={(text) => {
              setTyped(text)
              setWrong(undefined)
            }}
          />
        </FormField>
        <div className="wallet-buttons">
          <Button type="tertiary" onClick={getCode}>
            {t('Get a code')}
          </Button>
          <Button htmlType="submit" type="warning" loading={busy}>
            {busy ? t('redeeming') : t('Redeem')}
          </Button>
        </div>
      </form>
      {added !== null && (
        <ModalDialog
          title={t('Code redeemed')}
          onClose={() => setAdded(null)}
          foot={
            <Button theme="solid" onClick={() => setAdded(null)}>
              {t('OK')}
            </Button>
          }
        >
          <p>{t('redeemed, quota added: {amount}', { amount: format.quota(added) })}</p>
        </ModalDialog>
      )}
    </section>
  )
}
