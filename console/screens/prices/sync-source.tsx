// The catalogue to compare with: the built-in one, a public one, another gateway, or a file.
import { useState } from 'react'
import { showFieldErrors } from '../../data/notify.ts'
import { useText, texts } from '../../data/texts.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { RadioRow } from '../../parts/form/radio-row.tsx'
import { Button, Checkbox, Input } from '../../semi.ts'

const SOURCE_TEXTS = texts({
  file: 'A file',
  builtin: 'Weir’s own catalogue',
  litellm: 'LiteLLM',
  gateway: 'Another gateway',
  modelsDev: 'models.dev',
})

/** The input of `prices.preview`. */
export interface CompareQuery {
  file?: string
  address?: string
  provider: string
  all: boolean
}

const KINDS = ['builtin', 'litellm', 'modelsDev', 'gateway', 'file'] as const
type CatalogueKind = (typeof KINDS)[number]

/** The addresses of the public catalogues. */
const ADDRESSES: Partial<Record<CatalogueKind, string>> = {
  litellm: 'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json',
  modelsDev: 'https://models.dev/api.json',
  gateway: '',
}

export function SyncSource({ busy, compare }: { busy: boolean; compare(query: CompareQuery): void }) {
  const t = useText()
  const [kind, setKind] = useState<CatalogueKind>('builtin')
  const [address, setAddress] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [provider, setProvider] = useState('')
  const [all, setAll] = useState(false)
  const [wrong, setWrong] = useState('')
  const asksAddress = ADDRESSES[kind] !== undefined
  const submit = async () => {
    const missing =
      asksAddress && address.trim() === '' ? t('enter an address') : kind === 'file' && !file ? t('choose a file') : ''
    setWrong(missing)
    if (missing !== '') return showFieldErrors([{ field: 'address', message: missing }], 'info')
    const source = asksAddress
      ? { address: address.trim() }
      : file && kind === 'file'
        ? { file: await file.text() }
        : {}
    compare({ ...source, provider: provider.trim(), all })
  }
  return (
    <form
      className="sync-source"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <FormField label={t('Compare with')}>
        <RadioRow
          label={t('Compare with')}
          value={kind}
          options={KINDS.map((value) => ({ value, label: t(SOURCE_TEXTS[value]) }))}
          onChange={(value) => {
            setKind(value as CatalogueKind)
            setAddress(ADDRESSES[value as CatalogueKind] ?? '')
            setWrong('')
          }}
        />
      </FormField>
      {asksAddress && (
        <FormField
          field="address"
          label={t('Address')}
          hint={t('A gateway’s /api/pricing or /api/ratio_config, or any list of a known kind')}
          error={wrong || undefined}
        >
          <Input aria-label={t('Address')} type="url" value={address} onChange={setAddress} />
        </FormField>
      )}
      {kind === 'file' && (
        <FormField
          field="address"
          label={t('A file')}
          hint={t('LiteLLM’s price file, models.dev’s api.json, or a gateway’s list')}
          error={wrong || undefined}
        >
          <input
            type="file"
            aria-label={t('A file')}
            accept=".json,application/json"
            onChange={({ target }) => setFile(target.files?.[0] ?? null)}
          />
        </FormField>
      )}
      {kind !== 'builtin' && (
        <FormField
          field="provider"
          label={t('Provider')}
          hint={t('The provider whose offers count, in a list with several; empty for the maker of each model')}
        >
          <Input aria-label={t('Provider')} maxLength={100} value={provider} onChange={setProvider} />
        </FormField>
      )}
      <div className="sync-acts">
        <Checkbox checked={all} onChange={({ target }) => setAll(target.checked === true)}>
          {t('Also models that are neither served, used nor priced here')}
        </Checkbox>
        <Button htmlType="submit" theme="solid" loading={busy}>
          {t('Compare')}
        </Button>
      </div>
    </form>
  )
}
