package dev.millrace.proxy;

import dev.millrace.link.LinkRights;
import java.util.Optional;

/**
 * What a request was let in for.
 *
 * @param query what it asks for; under a link not what stands in its address
 * @param rights of the link that it came by; what it leads to has no more
 */
public record Grant(QueryParameters query, Optional<LinkRights> rights) {}
