// The first letter of a name in a circle. It is decoration: the name is next to it.
import { getHashedColor } from './tags.tsx'

export const UserAvatar = ({ name, small }: { name: string; small?: boolean }) => (
  <span
    aria-hidden="true"
    className={`avatar${small ? ' avatar-small' : ''}`}
    style={{
      background: `rgb(var(--semi-${getHashedColor(name)}-2))`,
      color: `rgb(var(--semi-${getHashedColor(name)}-8))`,
    }}
  >
    {[...name][0]?.toUpperCase()}
  </span>
)
