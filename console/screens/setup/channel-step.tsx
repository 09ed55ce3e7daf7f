// The first channel: a provider and its key, tested before it is saved.
import { useState } from 'react'
import { Link } from 'react-router'
import { cleanBaseUrl } from '../../../core/contract/url.ts'
import { apiClient, RequestFailure } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useLanguage, useText } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { useAddressQuestion } from '../../parts/form/address-question.tsx'
import { SingleCombobox } from '../../parts/form/combobox.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { Button, Input } from '../../semi.ts'
import type { StepProps } from './use-facts.ts'

export function ChannelStep({ facts, changed }: StepProps) {
  const t = useText()
  const { language } = useLanguage()
  const format = useFormat()
  const { data = [] } = useEndpoint(['channels.types'], () => apiClient.channels.types())
  const types = data.filter(({ retired }) => !retired)
  const [chosen, setChosen] = useState('')
  const [key, setKey] = useState('')
  const [address, setAddress] = useState('')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const [askAddress, addressQuestion] = useAddressQuestion()
  const type = types.find(({ id }) => id === chosen)
  const ready = type && (!type.needs_key || key.trim() !== '') && (!mustAddress(type) || address.trim() !== '')

  const save = async (tried: boolean) => {
    if (!type) return
    const base_url = await askAddress(address)
    if (base_url === null) return
    setAddress(base_url)
    setBusy(true)
    setRefused(null)
    const form = {
      name: type.name,
      type: type.type,
      key: key.trim(),
      base_url: cleanBaseUrl(base_url),
      models: type.models.join(','),
    }
    try {
      if (tried) {
        const { time } = await apiClient.channels.try(form)
        showNotice.success(t('The channel answered in {time}', { time: format.duration(time * 1000) }))
      }
      await apiClient.channels.create(form)
      changed()
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      setRefused(error.message)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (ready && !busy) void save(true)
      }}
    >
      {facts.channels > 0 && (
        <p className="muted">{t('Channels so far: {n}. You may add another.', { n: facts.channels })}</p>
      )}
      <FormField
        label={t('Provider', { context: 'setup' })}
        required
        hint={t('The sandbox needs no key or provider: good for a first look.')}
      >
        <SingleCombobox
          label={t('Provider', { context: 'setup' })}
          placeholder={t('Choose a provider')}
          value={chosen}
          onChange={(id) => {
            setChosen(id)
            setRefused(null)
          }}
          options={types.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </FormField>
      {type?.needs_key && (
        <FormField label={type.fields.key?.label[language] ?? t('Key')} required>
          <Input
            aria-label={type.fields.key?.label[language] ?? t('Key')}
            mode="password"
            autoComplete="off"
            placeholder={type.fields.key?.placeholder}
            value={key}
            onChange={setKey}
          />
        </FormField>
      )}
      {type && asksAddress(type) && (
        <FormField label={type.fields.base_url?.label[language] ?? t('Address')} required={mustAddress(type)}>
          <Input
            aria-label={type.fields.base_url?.label[language] ?? t('Address')}
            placeholder={type.fields.base_url?.placeholder ?? type.base_url}
            value={address}
            onChange={setAddress}
          />
        </FormField>
      )}
      {refused && (
        <div className="path-refused" role="alert">
          <strong>{t('It did not answer, so it was not added.')}</strong> {refused}
        </div>
      )}
      <div className="path-acts">
        <Button htmlType="submit" theme="solid" loading={busy} disabled={!ready}>
          {t('Test and add')}
        </Button>
        {refused && (
          <Button disabled={busy} onClick={() => void save(false)}>
            {t('Add it all the same')}
          </Button>
        )}
        <Link to="/channel/add">{t('All fields of a channel')}</Link>
      </div>
      {addressQuestion}
    </form>
  )
}

interface Addressed {
  base_url: string
  needs_key: boolean
  fields: { base_url?: unknown }
}

/** The operator must enter an address if the provider has none. */
const mustAddress = ({ base_url, needs_key }: Addressed) => base_url === '' && needs_key

const asksAddress = (type: Addressed) => type.fields.base_url !== undefined || mustAddress(type)
