using Polyjuice.Hosting;
using Polyjuice.Simulation.Events;

namespace Polyjuice.Training.Replay;

// What goes from silo to silo, and back to clients.
internal sealed partial class ReplayNode
{
    private static readonly SendOrPostCallback s_arrive = static state => ((Parcel)state!).Open();

    private readonly Parcel?[] _open;
    private readonly List<ReplayBody> _answers = [];

    /// <summary>A message of an engine.</summary>
    public void Send(NodeId destination, ReadOnlySpan<byte> batch) => Add(destination, new EngineMail(batch.ToArray()));

    /// <summary>A transaction has ended; its client hears of it with the next flush.</summary>
    public void Answer(ReplayBody body)
    {
        _charged += _costs.Message;
        _answers.Add(body);
    }

    private void Add(NodeId destination, Mail mail)
    {
        _charged += _costs.Message;
        var to = (int)destination.Value - 1;
        (_open[to] ??= new Parcel(this, _cluster.Nodes[to])).Mail.Add(mail);
    }

    private void SendOpen()
    {
        for (var to = 0; to < _open.Length; to++)
        {
            if (_open[to] is not { } parcel) continue;
            _open[to] = null;
            _charged += _costs.Batch;
            _cluster.Loop.Queue((long)_charged + _cluster.Settings.NetworkMicroseconds, EventKind.Message, to, () => parcel.To.Post(s_arrive, parcel));
        }

        if (_answers.Count == 0) return;
        _charged += _costs.Batch;
        foreach (var body in _answers) _cluster.Loop.Queue((long)_charged + _cluster.Settings.NetworkMicroseconds, EventKind.Client, body.Client, body.Told);
        _answers.Clear();
    }

    private void Take(NodeId from, Mail mail)
    {
        _charged += _costs.Message;
        switch (mail)
        {
            case EngineMail engine:
                Engine.Receive(from, engine.Bytes);
                break;
            case RequestMail request:
                Enter(from, request);
                break;
            case AnswerMail answer:
                answer.Request.Ended(answer);
                break;
        }
    }

    /// <summary>What one silo sends another at a time.</summary>
    private sealed class Parcel(ReplayNode from, ReplayNode to)
    {
        public ReplayNode To => to;

        public List<Mail> Mail { get; } = [];

        public void Open()
        {
            to._charged += to._costs.Batch;
            foreach (var mail in Mail) to.Take(from.Id, mail);
        }
    }

    private abstract class Mail;

    private sealed class EngineMail(byte[] bytes) : Mail
    {
        public byte[] Bytes => bytes;
    }
}
