// One channel: its facts and actions, and by tab its health, keys, errors, calls and changes.
import { IconBranch } from '@douyinfe/semi-icons'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { parseNameList, type Channel } from '../../../core/channels/channel.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction, useEndpoint, useEndpointWithError } from '../../data/use-endpoint.ts'
import { useUrlState } from '../../data/use-paging.ts'
import { useText, texts } from '../../data/texts.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import { GroupTags } from '../../parts/text/tags.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'
import { TabList } from '../../parts/tabs.tsx'
import { Button } from '../../semi.ts'
import { ResponseTime, StatusTag, TypeTag } from '../channels/list.tsx'
import '../channels/channels.css'
import { ChannelHealthSection } from './health.tsx'
import { typeNames } from './type-names.built.ts'
import './channel.css'

const TAB_TEXTS = texts({ health: 'Health', keys: 'Keys', errors: 'Errors', calls: 'Calls', changes: 'Changes' })

/** The content of a tab is loaded when it is opened; the first one comes with the page. */
const VIEWS = {
  health: ChannelHealthSection,
  keys: lazy(async () => ({ default: (await import('./keys.tsx')).ChannelKeySection })),
  errors: lazy(async () => ({ default: (await import('./calls.tsx')).ChannelErrorSection })),
  calls: lazy(async () => ({ default: (await import('./calls.tsx')).ChannelCallSection })),
  changes: lazy(async () => ({ default: (await import('./changes.tsx')).ChannelChangeSection })),
} as const
type ChannelView = keyof typeof VIEWS

export function Page() {
  const t = useText()
  const id = Number(useParams()['id'])
  const { data, error, loading, reload } = useEndpointWithError(['channels.get', id], () =>
    apiClient.channels.get({ id }),
  )
  if (error && !loading) {
    return (
      <EmptyState page failed title={t('This channel cannot be shown')} description={error}>
        <Link to="/channel">{t('All channels')}</Link>
      </EmptyState>
    )
  }
  if (!data || data.id !== id) return <LoadingIndicator />
  return <Shown channel={data} reload={reload} />
}

function Shown({ channel, reload }: { channel: Channel; reload(): void }) {
  const t = useText()
  const navigate = useNavigate()
  const [{ tab }, setTab] = useUrlState({ tab: 'health' })
  const view: ChannelView = tab in VIEWS ? (tab as ChannelView) : 'health'
  const View = VIEWS[view]
  const { id, name } = channel
  const [test, testing] = useAction(async () => {
    try {
      const { time } = await apiClient.channels.test({ id })
      showNotice.info(t('channel {name} passed, {t} seconds', { name, t: time.toFixed(2) }))
    } finally {
      reload()
    }
  })
  const [model = ''] = parseNameList(channel.models)
  const [group = ''] = parseNameList(channel.group)
  return (
    <>
      <PageHead title={name} extra={<StatusTag channel={channel} />}>
        <Link className="head-link" to={`/channel/route?${new URLSearchParams({ model, group }).toString()}`}>
          <IconBranch aria-hidden />
          <span>{t('Route of its calls')}</span>
        </Link>
        <Button loading={testing} onClick={() => void test()}>
          {t('Test')}
        </Button>
        <Button theme="solid" onClick={() => void navigate(`/channel/edit/${id}`)}>
          {t('Edit')}
        </Button>
      </PageHead>
      <div className="sheet channel-sheet">
        <Facts channel={channel} />
        <TabList
          label={t('Details of the channel')}
          value={view}
          tabs={(Object.keys(VIEWS) as ChannelView[]).map((value) => ({
            value,
            label: t(TAB_TEXTS[value], { context: 'kind' }),
          }))}
          onChange={(next) => setTab({ tab: next })}
        >
          <div className="channel-view">
            <Suspense fallback={<LoadingIndicator />}>
              <View key={id} channel={channel} onChanged={reload} />
            </Suspense>
          </div>
        </TabList>
      </div>
    </>
  )
}

function Facts({ channel }: { channel: Channel }) {
  const t = useText()
  const known = typeNames.find(({ type }) => type === channel.type)
  // A program that uses Weir as a library may add types.
  const { data: types } = useEndpoint(['channels.types'], () => apiClient.channels.types(), known === undefined)
  const type = known ?? types?.find((declared) => declared.type === channel.type)
  return (
    <dl className="lines">
      <Fact name={t('ID')}>{channel.id}</Fact>
      <Fact name={t('Type')}>{type && <TypeTag number={channel.type} type={type} />}</Fact>
      <Fact name={t('Groups')}>
        <GroupTags groups={parseNameList(channel.group)} />
      </Fact>
      <Fact name={t('Models')}>{parseNameList(channel.models).length}</Fact>
      <Fact name={t('Priority')}>{channel.priority}</Fact>
      <Fact name={t('Weight')}>{channel.weight}</Fact>
      <Fact name={t('Used')}>
        <QuotaText value={channel.used_quota} />
      </Fact>
      <Fact name={t('Response time')}>
        <ResponseTime milliseconds={channel.response_time} health={undefined} />
      </Fact>
      {channel.test_time > 0 && (
        <Fact name={t('Last test')}>
          <RelativeTime seconds={channel.test_time} />
        </Fact>
      )}
      {channel.remark && <Fact name={t('Remark')}>{channel.remark}</Fact>}
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
