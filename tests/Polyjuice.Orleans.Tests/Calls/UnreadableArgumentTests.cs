using Orleans.Transactions;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Calls;

/// <summary>
/// A call within a transaction whose argument or answer can't be copied, written or read: the method may not even run.
/// It is the same the next time, so the transaction ends at once, with the cause.
/// </summary>
public sealed class UnreadableArgumentTests(TwoSilos silos) : IClassFixture<TwoSilos>
{
    private const int Slots = 6;

    [Theory]
    [InlineData(LetterFault.Copied)]
    [InlineData(LetterFault.Written)]
    [InlineData(LetterFault.Read)]
    public Task An_argument(LetterFault fault) =>
        EndsAtOnce(fault, 100, (desk, slot, number) => desk.Send(slot, fault, number));

    [Theory]
    [InlineData(LetterFault.Copied)]
    [InlineData(LetterFault.Written)]
    [InlineData(LetterFault.Read)]
    public Task An_answer(LetterFault fault) =>
        EndsAtOnce(fault, 200, (desk, slot, number) => desk.Fetch(slot, fault, number));

    // Of so many slots some are on the desk's silo, where nothing is written or read, and some on the other.
    private async Task EndsAtOnce(LetterFault fault, long first, Func<ILetterDesk, long, Guid, Task> call)
    {
        var failed = 0;
        first += 10 * (long)fault;
        for (var slot = first; slot < first + Slots; slot++)
        {
            var desk = silos.Cluster.Client.GetGrain<ILetterDesk>(first);
            var number = Guid.NewGuid();
            var exception = await Record.ExceptionAsync(() => call(desk, slot, number));
            if (exception is not null)
            {
                failed++;
                Assert.IsAssignableFrom<OrleansTransactionException>(exception);
                Assert.Contains($"A letter can't be {fault}.", exception.ToString(), StringComparison.Ordinal);
            }

            Assert.Equal(exception is null ? 0 : 1, LetterCodec.Tries(number));

            // Nothing of it is left in the way.
            await desk.Send(slot, LetterFault.None, Guid.NewGuid());
        }

        // Copies are made within a silo and between two.
        Assert.InRange(failed, 1, Slots);
    }
}
