using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Tests.Workloads;

public class BatchesTests
{
    [Fact]
    public async Task Every_index_is_called_once_and_no_more_than_allowed_at_a_time()
    {
        var called = new List<int>();
        var waiting = new Queue<TaskCompletionSource>();
        var all = Batches.ForEachAsync(10, 3, index =>
        {
            called.Add(index);
            waiting.Enqueue(new TaskCompletionSource());
            return waiting.Last().Task;
        });
        Assert.Equal([0, 1, 2], called);
        while (waiting.TryDequeue(out var next)) next.SetResult();
        await all;
        Assert.Equal(Enumerable.Range(0, 10), called.Order());
    }

    [Fact]
    public async Task Nothing_to_do_is_fine() =>
        await Batches.ForEachAsync(0, 64, _ => throw new InvalidOperationException());
}
