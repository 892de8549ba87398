"""Where an address leads: whether it is of the web, goes through a proxy, and lies in the public network.

Addresses that are wrapped in others are unwrapped: IPv4 in IPv6 (RFC 4291, 6052, 3056, 4380), and the old
ways to write IPv4 (`2130706433`, `0x7f.1`). A name lies in the public network if all does that it stands for.
"""

from __future__ import annotations

import ipaddress
import socket
from urllib.request import getproxies, proxy_bypass

import httpx

from ..errors import SourceError

__all__ = ["is_public", "lies_public", "parsed", "proxied", "shown", "without_password"]

_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # RFC 6052


def parsed(url: str) -> httpx.URL:
    """The address that a text is.

    Raises:
        SourceError: if it is none.
    """
    try:
        return httpx.URL(url)
    except httpx.InvalidURL as error:
        raise SourceError(
            f"{url!r} is no address of the web ({error}): check it, or use --from FILE"
        ) from None


def without_password(url: httpx.URL) -> str:
    """An address without user, password and fragment."""
    return str(url.copy_with(userinfo=b"", fragment=None))


def shown(url: httpx.URL) -> str:
    """An address for messages: also without what follows the path."""
    return without_password(url.copy_with(query=None))


def proxied(url: httpx.URL) -> bool:
    """Whether a proxy calls the address, so that its name need not be known here."""
    proxies = getproxies()
    return bool(proxies.get(url.scheme) or proxies.get("all")) and not proxy_bypass(url.host)


def lies_public(url: httpx.URL) -> bool:
    """Whether all that the address leads to lies in the public network.

    Raises:
        SourceError: it is not of the web, or its name is not known.
    """
    if url.scheme not in {"http", "https"} or not url.host:
        raise SourceError(f"{shown(url)!r} is no address of the web: not followed; use --from FILE")
    if url.host == "localhost" or url.host.endswith((".localhost", ".local")):
        return False
    if proxied(url):
        try:
            return is_public(socket.inet_ntoa(socket.inet_aton(url.host)))  # also 2130706433, 0x7f.1
        except OSError:
            return ":" not in url.host or is_public(url.host)
    try:
        found = socket.getaddrinfo(url.host, url.port or url.scheme, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise SourceError(
            f"{url.host} is not known to the network: check the connection, or use --from FILE"
        ) from None
    return all(is_public(str(address[0])) for *_, address in found)


def is_public(text: str) -> bool:
    """Whether an IP address is of the public network, also one that is wrapped in another."""
    address = ipaddress.ip_address(text)
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo and address.teredo[1])
        if address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner:
            address = inner
    return address.is_global and not address.is_multicast
