"""Every failure as a problem document (RFC 9457): its form, failed calls of the service, errors raised by Flask."""
