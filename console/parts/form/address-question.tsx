// Asks about an API address that ends in /v1, before a channel is saved with it: Weir adds the path of each call itself.
import { type ReactNode, useState } from 'react'
import { endsInV1, removeV1Suffix } from '../../../core/contract/url.ts'
import { useText } from '../../data/texts.tsx'
import { ModalDialog } from '../overlay/dialog.tsx'
import { StateTag } from '../text/tags.tsx'
import { Button } from '../../semi.ts'

interface PendingAddress {
  address: string
  answer(address: string | null): void
}

/**
 * Returns a function that resolves to the address to save, or null if the user goes back to the form, and the dialog to
 * render. It asks once for each address, and not for the one that is stored.
 */
export function useAddressQuestion(stored = ''): [ask: (address: string) => Promise<string | null>, dialog: ReactNode] {
  const t = useText()
  const [pending, setPending] = useState<PendingAddress | null>(null)
  const [accepted, setAccepted] = useState('')
  const ask = (address: string) =>
    endsInV1(address) && ![stored, accepted].includes(address)
      ? new Promise<string | null>((answer) => setPending({ address, answer }))
      : Promise.resolve(address)
  if (!pending) return [ask, null]
  const end = (address: string | null) => {
    setPending(null)
    setAccepted(address ?? '')
    pending.answer(address)
  }
  const { address } = pending
  const dialog = (
    <ModalDialog
      title={t('a base URL ending in /v1 is usually wrong; continue?')}
      onClose={() => end(null)}
      foot={
        <>
          <Button type="tertiary" onClick={() => end(address)}>
            {t('Continue')}
          </Button>
          <Button theme="solid" onClick={() => end(removeV1Suffix(address))}>
            {t('Remove /v1')}
          </Button>
        </>
      }
    >
      {t('Weir adds the path of each call itself.')}{' '}
      <StateTag color="white" isName>
        {address}
      </StateTag>
    </ModalDialog>
  )
  return [ask, dialog]
}
