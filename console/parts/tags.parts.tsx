import { LONG_TEXT, LONG_WORD, definePreviews } from '../parts-page/states.ts'
import { Dot, GroupTag, GroupTags, PALETTE, RatioTag, Tag, UnreadableTag } from './tags.tsx'

const groups = ['vip', 'default', ...Array.from({ length: 38 }, (_, index) => `team-of-customers-${index + 1}`)]

export const previews = definePreviews({
  'every colour': () => (
    <span className="tags">
      {PALETTE.map((color) => (
        <Tag key={color} color={color}>
          {color}
        </Tag>
      ))}
      <Tag color="white">white</Tag>
    </span>
  ),
  'with a tip': () => (
    <Tag color="red" tip={LONG_TEXT}>
      failed
    </Tag>
  ),
  'long text': () => <Tag color="green">{LONG_WORD}</Tag>,
  'a point': () => <Dot color="green">3 s</Dot>,
  'a group': () => <GroupTag group="vip" />,
  'the group of the user': () => <GroupTag group="" />,
  'forty groups': () => <GroupTags groups={groups} />,
  ratios: () => (
    <span className="tags">
      {[0.5, 1, 2, 4, 6].map((ratio) => (
        <RatioTag key={ratio} ratio={ratio} />
      ))}
    </span>
  ),
  'what cannot be read': () => <UnreadableTag row={{ unreadable: ['used_quota'] }} />,
})
