using Orleans;

namespace Polyjuice.Orleans.Idempotency;

/// <summary>A call that has committed, and its answer.</summary>
/// <param name="Name">Stands for the grain that was called and the key.</param>
/// <param name="Print">What was called.</param>
/// <param name="ExpiresAt">When it is to be forgotten, in ticks of UTC.</param>
/// <param name="Answer">The answer, as Orleans' serialiser writes it.</param>
[GenerateSerializer, Immutable, Alias("Polyjuice.AnsweredCall")]
internal sealed record AnsweredCall(
    [property: Id(0)] Guid Name,
    [property: Id(1)] CallPrint Print,
    [property: Id(2)] long ExpiresAt,
    [property: Id(3)] byte[] Answer);
