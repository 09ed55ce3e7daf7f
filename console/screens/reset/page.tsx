// A forgotten password: one address requests the link, the other one is opened by it.
import { useLocation } from 'react-router'
import { Confirm } from './confirm.tsx'
import { Request } from './request.tsx'

export const Page = () => (useLocation().pathname.startsWith('/user/') ? <Confirm /> : <Request />)
