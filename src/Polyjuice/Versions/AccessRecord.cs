using Polyjuice.Policies;

namespace Polyjuice.Versions;

/// <summary>One access as it happened, so that a resumed body can be served it again without doing it again.</summary>
internal sealed record AccessRecord(
    int Number, SiteInfo Site, Participant Participant, StateVersion Before, StateVersion? After);
