// Previews of page heads, notes, placeholders and media.
import { IconRefresh } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { EmptyState } from '../parts/status/empty.tsx'
import { ForeignFrame } from '../parts/overlay/foreign-frame.tsx'
import { ManagedNote } from '../parts/status/managed-note.tsx'
import { MediaButton } from '../parts/media/media-button.tsx'
import { MediaGrid } from '../parts/media/media-grid.tsx'
import type { ViewableMedium } from '../parts/media/media.ts'
import { useViewer } from '../parts/media/use-viewer.tsx'
import { MediaViewer } from '../parts/media/viewer.tsx'
import { UsageMeter } from '../parts/status/meter.tsx'
import { InlineNote } from '../parts/status/note.tsx'
import { OperatorsPage } from '../parts/text/operators-page.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProgressBar, ProgressRing } from '../parts/status/progress.tsx'
import { QrCode } from '../parts/text/qr-code.tsx'
import { TabList } from '../parts/tabs.tsx'
import { StateTag } from '../parts/text/tags.tsx'
import { LoadFailed } from '../parts/status/unloaded.tsx'
import { LoadingIndicator } from '../parts/status/waiting.tsx'
import { Button } from '../semi.ts'
import { LONG_TEXT, definePreviews, doNothing, type PreviewModule } from './states.ts'

const emptyPreviews = definePreviews({
  'a title': () => <EmptyState title="No token yet" />,
  'with a reason and an act': () => (
    <EmptyState failed title="This list could not be loaded" description="The server cannot be reached.">
      <Button>Retry</Button>
    </EmptyState>
  ),
  'long text': () => <EmptyState title={LONG_TEXT} description={LONG_TEXT} />,
  'a whole page': () => <EmptyState page title="You may not see this" />,
})

const buttonPreviews = definePreviews({
  idle: () => <Button loading={false}>Test</Button>,
  busy: () => <Button loading>Test</Button>,
  'busy with an icon': () => <Button loading icon={<IconRefresh aria-hidden />} aria-label="Refresh" />,
  'long text': () => <Button loading={false}>{LONG_TEXT}</Button>,
})

const foreignFramePreviews = definePreviews({
  'a page': () => <ForeignFrame title="A page" address="about:blank" />,
  'a program': () => <ForeignFrame title="A chat" address="about:blank" isProgram />,
})

const managedNotePreviews = definePreviews({
  'as the file says': () => <ManagedNote file="weir.yaml" drifted={[]} />,
  'changed by hand': () => <ManagedNote file="weir.yaml" drifted={['priority', 'models']} />,
  'long text': () => <ManagedNote file={LONG_TEXT} drifted={[LONG_TEXT, LONG_TEXT]} />,
})

const of = (kind: ViewableMedium['kind'], key = '1'): ViewableMedium => ({
  key,
  kind,
  src: 'https://example.com/1',
  title: 'A weir',
})

const mediaMediaButtonPreviews = definePreviews({
  nothing: () => <MediaButton media={[]} onOpen={doNothing} />,
  'a picture': () => <MediaButton media={[of('picture')]} onOpen={doNothing} />,
  songs: () => <MediaButton media={[of('song'), of('song', '2')]} onOpen={doNothing} />,
  'a film': () => <MediaButton media={[of('film')]} onOpen={doNothing} />,
  words: () => <MediaButton media={[of('words')]} onOpen={doNothing} />,
})

const PICTURE =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Crect width="8" height="8" fill="%230b7285"/%3E%3C/svg%3E'

const tile = (key: string, src = PICTURE) => ({
  key,
  picture: { key, kind: 'picture' as const, src, title: LONG_TEXT },
  caption: key,
})

const mediaMediaGridPreviews = definePreviews({
  pictures: () => (
    <MediaGrid label="Drawings" tiles={['IMAGINE', 'UPSCALE', 'ZOOM'].map((key) => tile(key))} onOpen={doNothing} />
  ),
  'one that cannot be loaded': () => (
    <MediaGrid label="Drawings" tiles={[tile('IMAGINE', 'data:image/png,nothing')]} onOpen={doNothing} />
  ),
  'one that is not there yet': () => (
    <MediaGrid
      label="Drawings"
      tiles={[{ key: 'IMAGINE', picture: null, instead: '42%', caption: LONG_TEXT }]}
      onOpen={doNothing}
    />
  ),
})

const media = [{ key: '1', kind: 'words' as const, src: '', title: 'A weir', text: 'Water over stone' }]

function Opens() {
  const [open, viewer] = useViewer(media)
  return (
    <>
      <MediaButton media={media} onOpen={open} />
      {viewer}
    </>
  )
}

const mediaUseViewerPreviews = definePreviews({ 'opened by a button': Opens })

const mediaViewerMedia: ViewableMedium[] = [
  { key: 'one', kind: 'picture', src: PICTURE, title: 'A weir' },
  { key: 'two', kind: 'words', src: '', title: LONG_TEXT, text: `${LONG_TEXT}\n`.repeat(20) },
]

function MediaViewerOpens() {
  const [at, setAt] = useState<string | null>(null)
  return (
    <>
      <Button onClick={() => setAt('one')}>Open</Button>
      {at !== null && <MediaViewer media={mediaViewerMedia} at={at} onMove={setAt} onClose={() => setAt(null)} />}
    </>
  )
}

const mediaViewerPreviews = definePreviews({ 'a picture and words': MediaViewerOpens })

const drawMeter = (used: number, text = `${used} of 100`) => (
  <UsageMeter label="Spent today" used={used} limit={100}>
    {text}
  </UsageMeter>
)

const meterPreviews = definePreviews({
  nothing: () => drawMeter(0),
  some: () => drawMeter(40),
  nearly: () => drawMeter(85),
  'all and more': () => drawMeter(140),
  'long text': () => drawMeter(40, '$1,234,567.89 drawMeter $9,999,999.99'),
})

const notePreviews = definePreviews({
  'to know': () => <InlineNote>Keys are shown once.</InlineNote>,
  'to be careful of': () => <InlineNote warns>Keys are shown once.</InlineNote>,
  'with a title, to close': () => (
    <InlineNote title="Keys" onClose={doNothing}>
      They are shown once.
    </InlineNote>
  ),
  'long text': () => <InlineNote warns>{LONG_TEXT.repeat(3)}</InlineNote>,
})

const operatorsPagePreviews = definePreviews({
  text: () => <OperatorsPage title="About" content={'# About us\n\nWe run **models**.'} />,
  'long text': () => <OperatorsPage title="About" content={LONG_TEXT.repeat(6)} />,
})

const pageHeadPreviews = definePreviews({
  'a title': () => <PageHead title="Tokens" />,
  'with acts and figures': () => (
    <PageHead title="Log" extra={<StateTag color="blue">$12.30</StateTag>}>
      <Button>Refresh</Button>
      <Button theme="solid">Create token</Button>
    </PageHead>
  ),
  'long text': () => (
    <PageHead title={LONG_TEXT}>
      <Button>Refresh</Button>
    </PageHead>
  ),
})

const progressPreviews = definePreviews({
  'just begun': () => <ProgressBar label="IMAGINE" percent={0} />,
  'under way': () => <ProgressBar label="IMAGINE" percent={42} />,
  done: () => <ProgressBar label="IMAGINE" percent={100} />,
  failed: () => <ProgressBar label="IMAGINE" percent={100} failed />,
  'a ring': () => <ProgressRing label="MUSIC" percent={42} />,
  'a full ring': () => <ProgressRing label="MUSIC" percent={100} />,
  'a failed ring': () => <ProgressRing label="MUSIC" percent={70} failed />,
})

const qrCodePreviews = definePreviews({
  short: () => <QrCode text="https://weir.example.com" label="Address" />,
  long: () => <QrCode text={`otpauth://totp/Weir:ada?secret=${'A'.repeat(32)}&issuer=Weir`} label="Authenticator" />,
  small: () => <QrCode text="code" label="Code" size={96} />,
})

function Chosen({ labels, initial = 0 }: { labels: string[]; initial?: number }) {
  const [value, setValue] = useState(String(initial))
  const tabs = labels.map((label, index) => ({ value: String(index), label }))
  return (
    <TabList label="Views" value={value} tabs={tabs} onChange={setValue}>
      {labels[Number(value)]}
    </TabList>
  )
}

const tabsPreviews = definePreviews({
  'the first of three': () => <Chosen labels={['General', 'Models', 'Other']} />,
  'the last of three': () => <Chosen labels={['General', 'Models', 'Other']} initial={2} />,
  'more than there is room for': () => <Chosen labels={[LONG_TEXT, 'Models', LONG_TEXT]} initial={1} />,
})

const unloadedPreviews = definePreviews({
  'to try again': () => <LoadFailed onAgain={doNothing}>The button of Telegram could not be loaded.</LoadFailed>,
})

const waitingPreviews = definePreviews({ waiting: () => <LoadingIndicator /> })

export const previews = {
  button: buttonPreviews,
  'status/empty': emptyPreviews,
  'overlay/foreign-frame': foreignFramePreviews,
  'status/managed-note': managedNotePreviews,
  'media/media-button': mediaMediaButtonPreviews,
  'media/media-grid': mediaMediaGridPreviews,
  'media/use-viewer': mediaUseViewerPreviews,
  'media/viewer': mediaViewerPreviews,
  'status/meter': meterPreviews,
  'status/note': notePreviews,
  'text/operators-page': operatorsPagePreviews,
  'page-head': pageHeadPreviews,
  'status/progress': progressPreviews,
  'text/qr-code': qrCodePreviews,
  tabs: tabsPreviews,
  'status/unloaded': unloadedPreviews,
  'status/waiting': waitingPreviews,
} satisfies PreviewModule['previews']
