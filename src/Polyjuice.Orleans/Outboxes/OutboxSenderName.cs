namespace Polyjuice.Orleans.Outboxes;

/// <summary>That the silo has a sender of this name.</summary>
/// <param name="Name">It.</param>
internal sealed record OutboxSenderName(string Name);
