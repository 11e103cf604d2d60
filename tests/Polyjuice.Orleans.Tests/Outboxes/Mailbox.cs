using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Outboxes;

/// <summary>A sender that keeps what it is sent, unless a test has it do something else. Thread-safe.</summary>
internal sealed class Mailbox : IOutboxSender
{
    private readonly Lock _gate = new();
    private readonly List<OutboxMessage> _sent = [];
    private readonly HashSet<string> _ids = [];
    private readonly List<(Func<bool> Holds, TaskCompletionSource Done)> _awaited = [];

    /// <summary>What happens before a message counts as taken.</summary>
    public Func<OutboxMessage, CancellationToken, Task> Before { get; set; } = static (_, _) => Task.CompletedTask;

    /// <summary>What was taken, in that order; more than once if it was sent more than once.</summary>
    public OutboxMessage[] Sent
    {
        get
        {
            lock (_gate) return [.. _sent];
        }
    }

    /// <summary>The numbers of a shipper's messages in the order in which each came first.</summary>
    public int[] NumbersOf(long shipper) =>
    [
        .. Sent.Where(message => IsOf(message, shipper))
            .DistinctBy(message => message.Id).Select(message => ((Shipment)message.Content).Number),
    ];

    /// <summary>The texts of all messages in the order in which each came first.</summary>
    public string[] Texts =>
        [.. Sent.DistinctBy(message => message.Id).Select(message => ((Shipment)message.Content).Text)];

    private static bool IsOf(OutboxMessage message, long shipper) =>
        message.Source.ToString().EndsWith($"/{shipper:X}", StringComparison.OrdinalIgnoreCase);

    /// <summary>Completes when so many messages have come, counted once each.</summary>
    public Task WhenCame(int messages) => When(() => _ids.Count >= messages);

    /// <summary>Completes when so many have come, counted each time.</summary>
    public Task WhenSent(int times) => When(() => _sent.Count >= times);

    public async Task SendAsync(OutboxMessage message, CancellationToken cancellationToken)
    {
        await Before(message, cancellationToken);
        lock (_gate)
        {
            _sent.Add(message);
            _ids.Add(message.Id);
            foreach (var (holds, done) in _awaited)
            {
                if (holds()) done.TrySetResult();
            }
        }
    }

    private Task When(Func<bool> holds)
    {
        lock (_gate)
        {
            if (holds()) return Task.CompletedTask;
            var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _awaited.Add((holds, done));
            return done.Task.WaitAsync(TimeSpan.FromMinutes(2));
        }
    }
}
