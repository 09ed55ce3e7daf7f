// The email domains that may register, as tags.
import { IconClose } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { showNotice } from '../../../data/notify.ts'
import { useText } from '../../../data/texts.tsx'
import { Button, Input } from '../../../semi.ts'
import type { EditorProps } from './editor.ts'

/** The pattern of the setting's own check. */
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i

export function DomainsEditor({ label, value, disabled, onChange }: EditorProps) {
  const t = useText()
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState('')
  const domains = value.split(',').filter((domain) => domain !== '')
  const refuse = (why: string) => {
    setWrong(why)
    showNotice.error(why)
  }
  const add = () => {
    const domain = typed.trim().toLowerCase()
    if (!DOMAIN.test(domain)) return refuse(t('invalid domain, e.g. {host}', { host: 'example.com' }))
    if (domains.includes(domain)) return refuse(t('the domain is already listed'))
    onChange([...domains, domain].join(','))
    setTyped('')
    showNotice.success(t('added to the whitelist'))
  }
  return (
    <div className="editor">
      <ul className="domains" aria-label={label}>
        {domains.map((domain) => (
          <li key={domain} className="combo-chip">
            {domain}
            {!disabled && (
              <button
                type="button"
                aria-label={t('Remove {name}', { name: domain })}
                onClick={() => onChange(domains.filter((other) => other !== domain).join(','))}
              >
                <IconClose aria-hidden size="extra-small" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {!disabled && (
        <div className="field-row">
          <Input
            aria-label={t('New domain')}
            placeholder={t('New domain')}
            validateStatus={wrong ? 'error' : 'default'}
            value={typed}
            onChange={(text) => {
              setTyped(text)
              setWrong('')
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              add()
            }}
          />
          <Button onClick={add}>{t('Add')}</Button>
        </div>
      )}
      {wrong && (
        <div className="field-error" role="alert">
          {wrong}
        </div>
      )}
    </div>
  )
}
