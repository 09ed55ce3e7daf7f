// The sessions of the user, each with its device and address, to be ended one by one or all others at once.
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { Tag } from '../../parts/tags.tsx'
import { RelativeTime } from '../../parts/time.tsx'
import { ItemList, ListItem, Section } from './layout.tsx'
import { LastUse, PhraseWithTime } from './profile.tsx'
import { words } from './texts.ts'
import { parseDevice } from './user-agent.ts'

export function Sessions() {
  const t = useTexts(words)
  return (
    <Section id="sessions" title={t.sessions} lead={t.sessionsLead}>
      <SignedInAt />
    </Section>
  )
}

function SignedInAt() {
  const t = useTexts(words)
  const list = useEndpoint(['users.sessions'], () => client.users.sessions())
  const [end] = useAction(async (id: number) => {
    await client.users.endSession({ id })
    notify.success(t.sessionEnded)
    list.reload()
  })
  const [endOthers] = useAction(async () => {
    await client.users.endSessions()
    notify.success(t.sessionsEnded)
    list.reload()
  })
  const others = list.data?.filter(({ current }) => !current).length ?? 0
  return (
    <>
      <ItemList label={t.sessions} list={list} empty={t.sessionsEmpty}>
        {({ id, ip, user_agent, created_time, used_time, current }) => {
          const device = deviceName(user_agent, t)
          return (
            <ListItem
              name={
                <>
                  <span data-tip={user_agent || undefined} tabIndex={user_agent ? 0 : undefined}>
                    {device}
                  </span>
                  {current && <Tag color="green">{t.thisOne}</Tag>}
                </>
              }
              facts={
                <>
                  <code>{ip}</code>
                  <PhraseWithTime text={t.signedInAt}>
                    <RelativeTime seconds={created_time} />
                  </PhraseWithTime>
                  <LastUse seconds={used_time} />
                </>
              }
            >
              {!current && (
                <ConfirmButton
                  aria-label={`${t.end} ${device} ${ip}`}
                  question={fillPhrase(t.endQuestion, { device })}
                  body={t.endBody}
                  yes={t.end}
                  onConfirm={() => end(id)}
                >
                  {t.end}
                </ConfirmButton>
              )}
            </ListItem>
          )
        }}
      </ItemList>
      {others > 0 && (
        <ConfirmButton
          theme="light"
          size="default"
          question={fillPhrase(t.endOthersQuestion, { n: others })}
          body={t.endBody}
          yes={t.endOthers}
          onConfirm={endOthers}
        >
          {t.endOthers}
        </ConfirmButton>
      )}
    </>
  )
}

function deviceName(userAgent: string, t: (typeof words)['en']): string {
  const { browser, system } = parseDevice(userAgent)
  if (browser && system) return fillPhrase(t.browserOn, { browser, system })
  return browser ?? system ?? t.unknownDevice
}
