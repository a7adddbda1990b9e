import AsyncHTTPClient
import CSodium
import Crypto
import Hummingbird
import HummingbirdHTTP2
import HummingbirdTLS
import NIOSSL
import Store
