"""Writes a certificate authority and a certificate for localhost and 127.0.0.1 into a folder: certificates.py FOLDER.

ca.pem is what a client has to trust; cert.pem and key.pem are the server's; stranger.pem is another authority.
"""
import datetime
import ipaddress
import pathlib
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


def authority(name):
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    return key, sign(subject, subject, key.public_key(), key, is_authority=True)


def sign(subject, issuer, public_key, issuer_key, is_authority=False):
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public_key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=2))
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
    )
    if not is_authority:
        names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return builder.sign(issuer_key, hashes.SHA256())


def main():
    folder = pathlib.Path(sys.argv[1])
    pem = serialization.Encoding.PEM
    ca_key, ca = authority("Test authority")
    _, stranger = authority("Another authority")
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    certificate = sign(subject, ca.subject, key.public_key(), ca_key)
    (folder / "ca.pem").write_bytes(ca.public_bytes(pem))
    (folder / "stranger.pem").write_bytes(stranger.public_bytes(pem))
    (folder / "cert.pem").write_bytes(certificate.public_bytes(pem))
    (folder / "key.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )


main()
