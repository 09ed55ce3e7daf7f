// A text as a QR code, dark on white in every theme, because many cameras read nothing else. The drawing code is loaded
// with the first one.
import { lazy, Suspense } from 'react'
import './qr-code.css'

const Drawn = lazy(() => import('qrcode.react').then(({ QRCodeSVG }) => ({ default: QRCodeSVG })))

interface Props {
  text: string
  /** Accessible name of the code. */
  label: string
  /** In CSS pixels. */
  size?: number
}

export function QrCode({ text, label, size = 180 }: Props) {
  return (
    <span className="qr-code" style={{ width: size, height: size }}>
      <Suspense>
        <Drawn
          value={text}
          size={size}
          title={label}
          marginSize={3}
          level="M"
          bgColor="#fff"
          fgColor="#000"
          role="img"
        />
      </Suspense>
    </span>
  )
}
