// The first token, limited only by the balance of the account.
import { useState } from 'react'
import { Link } from 'react-router'
import { MAX_TOKEN_NAME } from '../../../core/tokens/token.ts'
import { client } from '../../data/client.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { Field } from '../../parts/field.tsx'
import { Button, Input } from '../../semi.ts'
import { words } from './path-texts.ts'
import type { StepProps } from './use-facts.ts'

export function TokenStep({ facts, changed }: StepProps) {
  const t = useTexts(words)
  const [name, setName] = useState('first token')
  const [make, busy] = useAction(async () => {
    await client.tokens.create({ name: name.trim(), unlimited_quota: true })
    changed()
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') void make()
      }}
    >
      <p className="muted">{facts.tokens > 0 ? fillPhrase(t.tokensThere, { n: facts.tokens }) : t.tokenWhy}</p>
      <Field label={t.tokenName} required>
        <Input aria-label={t.tokenName} maxLength={MAX_TOKEN_NAME} value={name} onChange={setName} />
      </Field>
      <div className="path-acts">
        <Button htmlType="submit" theme="solid" loading={busy} disabled={name.trim() === ''}>
          {t.makeToken}
        </Button>
        <Link to="/token">{t.allTokens}</Link>
      </div>
    </form>
  )
}
