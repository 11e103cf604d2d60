using System.Diagnostics.CodeAnalysis;

namespace Polyjuice.Agents.Spans;

/// <summary>
/// The request of a transaction that has an activity. A type of its own, so that the requests of all others are no
/// larger for it.
/// </summary>
internal sealed record TracedRequest : TransactionRequest
{
    [SetsRequiredMembers]
    public TracedRequest(TransactionRequest request, TransactionSpan span) : base(request) => Span = span;

    public TransactionSpan Span { get; }
}
