namespace Orleans.Runtime;

/// <summary>Base of the runtime's exceptions.</summary>
public class OrleansException : Exception
{
    /// <summary>Creates it.</summary>
    public OrleansException() : base("Unexpected error.")
    {
    }

    /// <summary>Creates it with a message.</summary>
    public OrleansException(string message) : base(message)
    {
    }

    /// <summary>Creates it with a message and a cause.</summary>
    public OrleansException(string message, Exception? innerException) : base(message, innerException)
    {
    }
}

/// <summary>A call could not be delivered.</summary>
public class OrleansMessageRejectionException : OrleansException
{
    /// <summary>Creates it with a message.</summary>
    public OrleansMessageRejectionException(string message) : base(message)
    {
    }

    /// <summary>Creates it with a message and a cause.</summary>
    public OrleansMessageRejectionException(string message, Exception? innerException) : base(message, innerException)
    {
    }
}

/// <summary>The silo that a call went to died before it answered; the call may or may not have run.</summary>
public sealed class SiloUnavailableException : OrleansMessageRejectionException
{
    /// <summary>Creates it.</summary>
    public SiloUnavailableException() : base("The silo is unavailable.")
    {
    }

    /// <summary>Creates it with a message.</summary>
    public SiloUnavailableException(string message) : base(message)
    {
    }

    /// <summary>Creates it with a message and a cause.</summary>
    public SiloUnavailableException(string message, Exception? innerException) : base(message, innerException)
    {
    }
}

/// <summary>The cluster is set up wrongly; nothing was started.</summary>
public sealed class OrleansConfigurationException : Exception
{
    /// <summary>Creates it with a message.</summary>
    public OrleansConfigurationException(string message) : base(message)
    {
    }

    /// <summary>Creates it with a message and a cause.</summary>
    public OrleansConfigurationException(string message, Exception? innerException) : base(message, innerException)
    {
    }
}
