namespace Polyjuice.Training.Service;

/// <summary>A training can't be done: the message says why, and what to do. Nothing was published.</summary>
internal sealed class TableTrainingException : Exception
{
    /// <summary>Makes one without a reason.</summary>
    public TableTrainingException()
    {
    }

    /// <summary>Makes one.</summary>
    /// <param name="message">Why.</param>
    public TableTrainingException(string message)
        : base(message)
    {
    }

    /// <summary>Makes one.</summary>
    /// <param name="message">Why.</param>
    /// <param name="innerException">What has failed.</param>
    public TableTrainingException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
