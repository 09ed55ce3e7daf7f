// Access tokens, with which programs use the API on behalf of the user. The text of each is shown once, when it is
// created.
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { queryClient } from '../../data/queries.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { NEVER } from '../../../core/tokens/token.ts'
import { askConfirmation, ConfirmButton } from '../../parts/confirm.tsx'
import { copyText } from '../../parts/copy.tsx'
import { Tag } from '../../parts/tags.tsx'
import { nowSeconds, RelativeTime } from '../../parts/time.tsx'
import { Button } from '../../semi.ts'
import { AccessTokenPanel } from './access-token-panel.tsx'
import { MadeToken } from './made-token.tsx'
import { PhraseWithTime, LastUse } from './said.tsx'
import { Section } from './section.tsx'
import { words } from './texts.ts'
import { ListItem, ItemList } from './things.tsx'

/** The token that the specification's endpoint creates, replacing the previous one. */
const SYSTEM = 'default'
const LIST = ['users.accessTokens']

interface Props {
  open: boolean
  onOpen(open: boolean): void
}

export function AccessTokens({ open, onOpen }: Props) {
  const t = useTexts(words)
  const [made, setMade] = useState<string | null>(null)
  const showToken = (token: string) => {
    setMade(token)
    void queryClient.invalidateQueries({ queryKey: LIST })
  }
  const [generate, generating] = useAction(async () => {
    const before = await client.users.accessTokens()
    const isThere = before.some(({ name }) => name === SYSTEM)
    if (isThere && !(await askConfirmation({ title: t.resetQuestion, body: t.resetBody, yes: t.reset }))) return
    const token = await client.users.accessToken()
    showToken(token)
    if (await copyText(token)) notify.success(t.tokenReset)
  })
  const actions = (
    <>
      <Button onClick={() => onOpen(true)}>{t.createToken}</Button>
      <Button type="tertiary" loading={generating} onClick={() => void generate()}>
        {t.generate}
      </Button>
    </>
  )
  return (
    <>
      <Section id="access-tokens" title={t.accessTokens} lead={t.accessTokensLead} actions={actions}>
        <TokenList />
      </Section>
      {open && <AccessTokenPanel onMade={showToken} onClose={() => onOpen(false)} />}
      {made !== null && <MadeToken token={made} onClose={() => setMade(null)} />}
    </>
  )
}

function TokenList() {
  const t = useTexts(words)
  const list = useEndpoint(LIST, () => client.users.accessTokens())
  const [remove] = useAction(async (id: number) => {
    await client.users.deleteAccessToken({ id })
    notify.success(t.tokenDeleted)
    list.reload()
  })
  return (
    <ItemList label={t.accessTokens} list={list} empty={t.accessTokensEmpty}>
      {({ id, name, scope, created_time, used_time, expired_time }) => (
        <ListItem
          name={
            <>
              {name}
              <Tag color="white">{t[scope]}</Tag>
              {expired_time !== NEVER && expired_time <= nowSeconds() && <Tag color="red">{t.expired}</Tag>}
            </>
          }
          facts={
            <>
              {name === SYSTEM && <span>{t.systemToken}</span>}
              <PhraseWithTime text={t.createdAt}>
                <RelativeTime seconds={created_time} />
              </PhraseWithTime>
              <LastUse seconds={used_time} />
              {expired_time === NEVER ? (
                <span>{t.neverEnds}</span>
              ) : (
                <PhraseWithTime text={t.endsAt}>
                  <RelativeTime seconds={expired_time} />
                </PhraseWithTime>
              )}
            </>
          }
        >
          <ConfirmButton
            aria-label={`${t.delete} ${name}`}
            question={fillPhrase(t.deleteToken, { name })}
            body={t.deleteTokenBody}
            onConfirm={() => remove(id)}
          >
            {t.delete}
          </ConfirmButton>
        </ListItem>
      )}
    </ItemList>
  )
}
